import { type EditorState, type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, gutterLineClass } from '@codemirror/view';
import type { CodeProblem } from './properties.ts';

/** Where in a YAML document a text ends: below these names, in a name or in a value. `[]` in the path is an item of a list. */
export interface YamlPlace {
  path: readonly string[];
  in: 'name' | 'value';
  /** The part of the name or value already written. */
  word: string;
}

const ENTRY = /^(\s*)((?:- +)*)([^\s#:{}[\],][^:{}[\],]*?)\s*:(?:\s+(.*))?$/;
const LINE = /^(\s*)((?:- +)*)(.*)$/;

/** Place of the end of `before`, derived from indentation and brackets, so that incomplete documents have places too. */
export function placeOf(before: string): YamlPlace | undefined {
  const lines = before.split('\n');
  const [, indent = '', dashes = '', rest = ''] = LINE.exec(lines.pop() ?? '') ?? [];
  if (rest.startsWith('#')) return undefined;
  const path = dashes === '' ? above(lines, indent.length) : [...above(lines, indent.length + 1), '[]'];
  const entry = ENTRY.exec(rest);
  if (entry?.[3] !== undefined && entry[4] !== undefined) return placeInValue([...path, entry[3]], entry[4]);
  if (entry) return undefined;
  return /^[{[]/.test(rest) ? placeInValue(path, rest) : { path, in: 'name', word: rest };
}

/** Names above an entry at this column: each is the next one further left. */
function above(lines: readonly string[], column: number): string[] {
  const path: string[] = [];
  let left = column;
  for (const line of [...lines].reverse()) {
    const [, indent = '', dashes = '', name] = ENTRY.exec(line) ?? [];
    if (name === undefined) continue;
    const start = indent.length + dashes.length;
    if (start > left || (start === left && dashes === '')) continue;
    if (start < left) path.unshift(name);
    left = start;
    if (dashes !== '') {
      path.unshift('[]');
      // The name of a list may be in the same column as its dashes.
      left = indent.length + 1;
    }
  }
  return path;
}

function placeInValue(path: readonly string[], value: string): YamlPlace | undefined {
  if (!/^[{[]/.test(value)) return { path, in: 'value', word: value };
  const open = openBrackets(value);
  const inner = open.at(-1);
  if (!inner) return undefined;
  const outer = open.slice(0, -1).map(({ list, name }) => (list ? '[]' : (name ?? '')));
  if (inner.list) return { path: [...path, ...outer, '[]'], in: 'value', word: inner.word };
  if (inner.name === undefined) return { path: [...path, ...outer], in: 'name', word: inner.word };
  return { path: [...path, ...outer, inner.name], in: 'value', word: inner.word };
}

interface Bracket {
  list: boolean;
  /** Name of the entry whose value is being written. */
  name: string | undefined;
  word: string;
}

const TOKEN = /"[^"]*"|'[^']*'|[{}[\],]|:(?=\s)|[^{}[\],:"']+|[:"']/g;

function openBrackets(text: string): Bracket[] {
  const open: Bracket[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const inner = open.at(-1);
    if (token === '{' || token === '[') open.push({ list: token === '[', name: undefined, word: '' });
    else if (token === '}' || token === ']') open.pop();
    else if (!inner) continue;
    else if (token === ',') Object.assign(inner, { name: undefined, word: '' });
    else if (token === ':' && !inner.list && inner.name === undefined)
      Object.assign(inner, { name: inner.word.trim(), word: '' });
    else inner.word = (inner.word + token).trimStart();
  }
  return open;
}

export const showProblems = StateEffect.define<readonly CodeProblem[]>();

class MarkedNumber extends GutterMarker {
  override readonly elementClass = 'cm-kp-marked';
}
const MARKED_NUMBER = new MarkedNumber();

/** Lines with a problem, as positions that move with the text until the next check. */
const field = StateField.define({
  create: () => Decoration.none,
  update(lines, { changes, effects, state }) {
    let next = lines.map(changes);
    for (const effect of effects) if (effect.is(showProblems)) next = linesOf(state, effect.value);
    return next;
  },
  provide: (own) => [
    EditorView.decorations.from(own),
    gutterLineClass.compute([own], (state) => {
      const numbers = [];
      for (const line = state.field(own).iter(); line.value; line.next()) numbers.push(MARKED_NUMBER.range(line.from));
      return RangeSet.of(numbers);
    }),
  ],
});

function linesOf(state: EditorState, problems: readonly CodeProblem[]) {
  const words = new Map<number, string>();
  for (const { line, message } of problems) {
    const place = Math.min(Math.max(1, line), state.doc.lines);
    words.set(place, [words.get(place), message].filter(Boolean).join(' '));
  }
  return Decoration.set(
    [...words].map(([line, title]) =>
      Decoration.line({ class: 'cm-kp-marked', attributes: { title } }).range(state.doc.line(line).from),
    ),
    true,
  );
}

export const problemLines: Extension = field;
