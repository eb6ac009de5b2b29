import { FIRST_PAINT_SCRIPT } from '#contract/page-elements.ts';

/*
 * Shows help if the app cannot start: the browser is too old, cannot parse our scripts, or could not load them.
 * The app removes the help once it has started, and shows it if the start fails. The script is ES5, for older browsers.
 */

window.addEventListener(
  'error',
  function (event) {
    if (isScript(event.target) || isOurs(event.filename)) showStartHelp();
  },
  // The error of a script that could not be loaded does not bubble.
  true,
);
if (!('noModule' in HTMLScriptElement.prototype)) showStartHelp();
insertFirstPaint();

/** Only now, so that its failure is noticed although it does not wait for the rest of the page. */
function insertFirstPaint() {
  var template = document.getElementById(FIRST_PAINT_SCRIPT) as HTMLTemplateElement | null;
  if (template && template.content) document.head.appendChild(template.content);
}

function showStartHelp() {
  // The help is further down the page.
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', showStartHelp);
    return;
  }
  var help = document.getElementById('start-help');
  if (help) help.removeAttribute('hidden');
}

function isScript(target: EventTarget | null) {
  return target instanceof HTMLScriptElement && isOurs(target.src);
}

/** A syntax error names its file. Errors of browser extensions are ignored. */
function isOurs(file: string | undefined) {
  return (file || '').indexOf(location.origin + '/') === 0;
}
