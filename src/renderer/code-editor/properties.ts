import type { CodeLanguage } from '../../shared/model/tool.ts';

export interface CodeProblem {
  line: number;
  message: string;
}

export interface Suggestion {
  label: string;
  /** What is written in place of the word; the label if absent. */
  insert?: string;
  detail?: string;
  info?: string;
  kind: 'property' | 'constant';
}

/** What fits the word that ends where the cursor stands. */
export interface Suggestions {
  word: string;
  options: readonly Suggestion[];
}

export interface CodeEditorProperties {
  label: string;
  language: CodeLanguage | 'yaml';
  text: string;
  onChange(text: string): void;
  readOnly?: boolean;
  invalid?: boolean;
  id?: string;
  describedBy?: string;
  placeholder?: string;
  problems?: readonly CodeProblem[];
  /** Each new value selects its line and gives the editor the focus. */
  goTo?: { line: number } | undefined;
  suggest?(before: string): Suggestions | undefined;
}
