import { parseSync } from 'vite';

export type MessageUse = {
  text: string;
  /** Where the literal stands in the code, in UTF-16 units. */
  start: number;
  end: number;
};
type Node = { type: string; start: number; end: number; [key: string]: unknown };

/** `t` and `rich` write a message, `message` marks one that a table holds. */
const WRITERS = new Set(['t', 'rich']);
const MARKER = 'message';

/**
 * The messages that a file names as literals.
 * @throws Error for one that is written while the module loads, before the language is known
 */
export function readMessages(file: string, code: string): MessageUse[] {
  if (!/\b(t|rich|message)\(/.test(code)) return [];
  const uses: MessageUse[] = [];
  visit(parseSync(file, code).program as unknown as Node, false, (call, isInFunction) => {
    const { name } = call.callee as { name?: string };
    const [text] = call.arguments as Node[];
    if (name === undefined || text === undefined || !(WRITERS.has(name) || name === MARKER)) return;
    const literals = literalsOf(text);
    if (literals.length > 0 && name !== MARKER && !isInFunction) {
      throw new Error(`${file} writes "${literals[0]?.text}" while it loads: mark it with message().`);
    }
    uses.push(...literals);
  });
  return uses;
}

/** The texts of an argument: a literal, or one of several by a condition. */
function literalsOf(node: Node): MessageUse[] {
  const { start, end } = node;
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [{ text: node.value, start, end }] : [];
    case 'TemplateLiteral': {
      const [quasi, ...others] = node.quasis as { value: { cooked: string } }[];
      return quasi && others.length === 0 ? [{ text: quasi.value.cooked, start, end }] : [];
    }
    case 'ConditionalExpression':
      return [...literalsOf(node.consequent as Node), ...literalsOf(node.alternate as Node)];
    case 'LogicalExpression':
      return [...literalsOf(node.left as Node), ...literalsOf(node.right as Node)];
    default:
      return [];
  }
}

function visit(node: Node, isInFunction: boolean, onCall: (call: Node, isInFunction: boolean) => void): void {
  if (node.type === 'CallExpression') onCall(node, isInFunction);
  const inside = isInFunction || /Function/.test(node.type);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visit(child, inside, onCall);
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
