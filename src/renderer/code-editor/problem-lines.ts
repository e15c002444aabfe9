import { type EditorState, type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, gutterLineClass } from '@codemirror/view';
import type { CodeProblem } from './properties.ts';

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
