/*
 * Shows help if the app cannot start: the browser does not support modules, cannot parse ours, or could not load them.
 * The app removes the help once it has started, and shows it if the start fails. The script is ES5, for older browsers.
 */

window.addEventListener(
  'error',
  function (event) {
    if (isModuleScript(event.target) || isOurs(event)) showStartHelp();
  },
  // The error of a script that could not be loaded does not bubble.
  true,
);
if (!('noModule' in HTMLScriptElement.prototype)) showStartHelp();

function showStartHelp() {
  var help = document.getElementById('start-help');
  if (help) help.removeAttribute('hidden');
}

function isModuleScript(target: EventTarget | null) {
  return target instanceof HTMLScriptElement && target.type === 'module';
}

/** A syntax error names its file. Errors of browser extensions are ignored. */
function isOurs(event: ErrorEvent) {
  return (event.filename || '').indexOf(location.origin + '/') === 0;
}
