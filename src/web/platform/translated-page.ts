/*
 * Translators of browsers replace each text node by a `font` element, while React keeps the text node: what it writes
 * there is not shown, and removing it, or inserting something before it, throws and takes the screen down
 * (https://github.com/facebook/react/issues/11538). So the text nodes return to the page before React needs them, and
 * the translator translates them again.
 */

/** The `font` elements with the text nodes that they replaced, and the reverse. */
const replacedTexts = new WeakMap<Node, Text>();
const fonts = new WeakMap<Node, Element>();

/** Costs two microseconds for each node that React inserts or removes, on pages that are not translated, too. */
const observer = new MutationObserver(followChanges);

/** Keeps a page usable and true while a browser translates it. Called once, before a translator starts. */
export function supportTranslators(): void {
  observer.observe(document.body, { childList: true, subtree: true });
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    if (isMissing(child, this)) child.remove();
    else removeChild.call(this, child);
    return child;
  };
  Node.prototype.insertBefore = function <Added extends Node>(
    this: Node,
    added: Added,
    next: Node | null,
  ): Added {
    insertBefore.call(this, added, isMissing(next, this) ? null : next);
    return added;
  };
}

/** Whether a translator took the text away for good, because it made one text of several. */
function isMissing(text: Node | null, parent: Node): text is Text {
  if (!(text instanceof Text) || text.parentNode === parent) return false;
  followChanges(observer.takeRecords());
  restoreTexts(parent);
  return text.parentNode !== parent;
}

function followChanges(records: MutationRecord[]): void {
  const replacements = new Map<Node, { texts: Text[]; added: Element[] }>();
  for (const { target, addedNodes, removedNodes } of records) {
    const { texts, added } = replacements.get(target) ?? { texts: [], added: [] };
    for (const node of removedNodes) if (node instanceof Text && node.parentNode === null) texts.push(node);
    for (const node of addedNodes) {
      if (node.nodeName === 'FONT' && node.parentNode === target) added.push(node as Element);
      // React moved the text.
      if (node instanceof Text) fonts.get(node)?.remove();
    }
    replacements.set(target, { texts, added });
  }
  for (const { texts, added } of replacements.values()) pair(texts, added);
  for (const { type, target } of records) {
    const parent = type === 'characterData' && fonts.get(target)?.parentNode;
    if (parent) restoreTexts(parent);
  }
}

/** Each translator inserts the elements in the order of the texts, but not all replace a text in one step. */
function pair(texts: Text[], added: Element[]): void {
  for (const [index, font] of added.entries()) {
    const text = texts[index];
    if (text === undefined) return;
    replacedTexts.set(font, text);
    fonts.set(text, font);
    observer.observe(text, { characterData: true });
  }
}

/** All texts of the element, because a translator may have moved words between them. */
function restoreTexts(parent: Node): void {
  for (const child of Array.from(parent.childNodes)) {
    const text = replacedTexts.get(child);
    if (text?.parentNode === null) child.replaceWith(text);
  }
}
