import { parseAst } from 'rolldown/parseAst';
import { type Avoided, countWords } from './docs.ts';
import type { Module } from './modules.ts';
import { type Complaint, isTest } from './project.ts';

/** Text visible to users: on a screen, in a report, in the terminal, in a message. `{…}` is a placeholder. */
export interface Text {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
const nodesIn = (value: unknown): Node[] =>
  Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
const textAt = (node: unknown, member: string): string => {
  const value = isNode(node) ? node[member] : undefined;
  return typeof value === 'string' ? value : '';
};

/** Members and attributes whose value is visible, even if it is one word. */
const READ =
  /^(?:label|title|description|placeholder|aria-?label|message|words?|text|why|avoid|safe|next|heading|summary|help|hint|legend|unit|caption|question|note|tooltip|subtitle|alt|empty|answer|detail|head|axis|xLabel|yLabel)$/i;
/** Members and attributes whose value is never visible. */
const UNREAD =
  /^(?:class\w*|style|key|href|src|to|id|d|viewBox|transform|type|variant|size|color|sql|command|script|path|pattern|query|code)$|^data-/i;
/** Calls whose texts are for programs. */
const CALLS =
  /^(?:prepare|exec|query|run|all|get|includes|startsWith|endsWith|split|join|replace|replaceAll|indexOf|test|match|matchAll|RegExp|require|querySelector\w*|getAttribute|addEventListener|sh|raw|Error|TypeError|RangeError)$/;
const QUERY =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|PRAGMA|ALTER|DROP|SHOW|SET|GRANT|FLUSH|EXPLAIN|BEGIN|VACUUM|ANALYZE|FROM|WHERE|AND|ORDER|LEFT|JOIN|GROUP|ATTACH|SYSTEM|REPLACE|VALUES|USING|UNION|CALL|KILL|OPTIMIZE|CHECKPOINT|LIMIT)\b|\b(?:FROM|WHERE|INTEGER|TEXT NOT NULL) /;
const SCRIPT =
  /^#!|^<|var\(--|sans-serif|^-----BEGIN|\$\(|\$\{?[a-z_]+\}?["';]|2>|>&2|\/dev\/null|&&|\|\||;;|^\s*(?:if|for|while|case) \[|\bthen$|\bprintf |\bawk |\bsed |\/(?:proc|sys)\/\S+ \||^[\w.-]+=|::|=>|--\w+ --\w+|[a-z]\(\)|^function |^local |^const |^end$/m;

/** Two words, or one that begins like a sentence. */
const isWords = (text: string): boolean =>
  /(?:^|[^\w.-])[a-z’']{2,},? [a-z{(“]/i.test(text) || /^[A-Z][a-z]+(?:[ -][a-z{]+)*[.…:]?$/.test(text);
const isForPeople = (text: string): boolean =>
  /\p{L}{2}/u.test(text) &&
  isWords(text) &&
  !QUERY.test(text) &&
  !SCRIPT.test(text) &&
  !/^[\w.-]+\/[\w./-]+$/.test(text);

/** Words of screens, messages and reports that docs/voice.md replaces. */
const AVOIDED: readonly Avoided[] = [
  { word: 'tell, told', pattern: /\b(?:tells?|told|telling)\b/i, instead: 'shows, reports, distinguishes', stored: 2 },
  { word: 'say, said', pattern: /\b(?:says?|said)\b/i, instead: 'names, reports, or the fact itself', stored: 0 },
  { word: 'beside', pattern: /\bbeside\b/i, instead: 'with, next to, in addition to', stored: 0 },
  { word: 'stand, stood', pattern: /\b(?:stands?|stood)\b/i, instead: 'is in, is', stored: 0 },
  { word: '“What …” that is no question', pattern: /^What\b[^?]*$/, instead: 'the noun itself', stored: 3 },
  { word: '“Of …” at the beginning', pattern: /^Of\b/, instead: 'for, in, among', stored: 3 },
  {
    word: 'somebody, nobody, a person',
    pattern: /\b(?:some|no|any)body\b|\b(?:a|by|the) person\b/i,
    instead: 'user, or the fact itself',
    stored: 0,
  },
  {
    word: 'all the same, anew, so much, so many',
    pattern: /\ball the same\b|\banew\b|\bso (?:much|many)\b|\bnone of them\b|\bworked out\b/i,
    instead: 'anyway, again, this much, calculated',
    stored: 0,
  },
  {
    word: 'not known, cannot be told',
    pattern: /\bnot known\b|\bcannot (?:be told|tell)\b|\bnothing is known\b/i,
    instead: 'unknown, unclear, inconclusive',
    stored: 2,
  },
  {
    word: 'go on, leave out, take back',
    pattern: /\bgo(?:es)? on\b|\bleft out\b|\bleave .*\bout\b|\btake(?:n|s)? back\b/i,
    instead: 'continue, omit or exclude, revert',
    stored: 0,
  },
];

/** Counts these words in all texts and compares them with the stored numbers. */
export const checkTexts = (
  texts: readonly Text[],
  avoided: readonly Avoided[] = AVOIDED,
): { rises: Complaint[]; falls: string[] } =>
  countWords(
    texts.map(({ text }) => text.replace(/\{[^{}]*\}/g, '{}')),
    avoided,
    { things: 'texts on screens', file: 'scripts/check/texts.ts' },
  );

/** Every text of these modules that users can read, in the order of the files, without tests. */
export function readTexts(modules: Iterable<Pick<Module, 'file' | 'text'>>): Text[] {
  return [...modules].filter(({ file }) => file.startsWith('src/') && !isTest(file)).flatMap(textsOf);
}

export function textsOf({ file, text: source }: Pick<Module, 'file' | 'text'>): Text[] {
  const found: Text[] = [];
  const lines = lineIndex(source);
  const add = (at: Node, words: string): void => {
    const text = words.replace(/\s+/g, ' ').trim();
    if (text !== '') found.push({ file, line: lines(at.start), text });
  };
  const filled = (node: Node): string => {
    const inner = source.slice(node.start, node.end).replace(/\s+/g, ' ');
    return inner.length > 48 ? '{…}' : `{${inner}}`;
  };

  const visit = (node: Node, isRead: boolean): void => {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ImportExpression':
      case 'TaggedTemplateExpression':
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAnnotation':
      case 'TSTypeParameterInstantiation':
        return;
      case 'JSXElement':
      case 'JSXFragment': {
        const children = nodesIn(node.children);
        if (children.some((child) => child.type === 'JSXText' && /\p{L}/u.test(textAt(child, 'value'))))
          add(
            children.find((child) => child.type === 'JSXText' && /\p{L}/u.test(textAt(child, 'value'))) ?? node,
            children.map((child) => (child.type === 'JSXText' ? textAt(child, 'value') : filledChild(child))).join(''),
          );
        break;
      }
      case 'JSXAttribute': {
        const name = textAt(node.name, 'name');
        if (!UNREAD.test(name)) for (const child of nodesIn(node.value)) visit(child, READ.test(name));
        return;
      }
      case 'Property':
      case 'PropertyDefinition': {
        const name = textAt(node.key, 'name') || textAt(node.key, 'value');
        const isWordsAnyway = nodesIn(node.value).some(
          (value) => value.type === 'Literal' && / /.test(textAt(value, 'value')),
        );
        if (!UNREAD.test(name) || isWordsAnyway) for (const child of nodesIn(node.value)) visit(child, READ.test(name));
        return;
      }
      case 'BinaryExpression':
        if (/^[!=]==?$/.test(String(node.operator))) return;
        break;
      case 'SwitchCase':
        for (const child of nodesIn(node.consequent)) visit(child, false);
        return;
      case 'CallExpression':
      case 'NewExpression': {
        const callee = nodesIn(node.callee)[0];
        const name = textAt(callee, 'name') || textAt(callee?.property, 'name');
        if (callee) visit(callee, false);
        for (const child of nodesIn(node.arguments))
          if (!(CALLS.test(name) && /Literal/.test(child.type))) visit(child, name === 'describe');
        return;
      }
      case 'Literal': {
        const text = textAt(node, 'value');
        if (isForPeople(text) || (isRead && /\p{L}/u.test(text) && !QUERY.test(text))) add(node, text);
        return;
      }
      case 'TemplateLiteral': {
        const expressions = nodesIn(node.expressions);
        const text = nodesIn(node.quasis)
          .map((quasi, at) => {
            const cooked = (quasi.value as { cooked?: string | null }).cooked ?? '';
            const expression = expressions[at];
            return cooked + (expression ? filled(expression) : '');
          })
          .join('');
        const bare = text.replace(/\{[^{}]*\}/g, '{}');
        if (isForPeople(bare) || (isRead && /\p{L}/u.test(bare.replaceAll('{}', '')))) add(node, text);
        for (const child of expressions) visit(child, false);
        return;
      }
    }
    const passes =
      /^(?:ConditionalExpression|LogicalExpression|JSXExpressionContainer|ParenthesizedExpression|TSAsExpression|TSSatisfiesExpression|ArrayExpression|ArrowFunctionExpression|BinaryExpression)$/.test(
        node.type,
      );
    for (const [member, value] of Object.entries(node)) {
      if (node.type === 'ConditionalExpression' && member === 'test') continue;
      for (const child of nodesIn(value)) visit(child, passes && isRead);
    }
  };
  const filledChild = (child: Node): string => {
    if (child.type === 'JSXExpressionContainer') {
      const inner = nodesIn(child.expression)[0];
      if (inner?.type === 'Literal') return textAt(inner, 'value');
      return inner ? filled(inner) : '';
    }
    return `<${textAt(isNode(child.openingElement) ? child.openingElement.name : undefined, 'name') || '…'}>`;
  };

  for (const node of nodesIn(parseAst(source, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }, file)))
    visit(node, false);
  return found;
}

function lineIndex(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
