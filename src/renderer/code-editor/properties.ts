import type { CodeLanguage } from '../../shared/model/tool.ts';

export interface CodeProblem {
  line: number;
  message: string;
}

export interface Suggestion {
  label: string;
  /** Text that replaces the word. Default: the label. */
  insert?: string;
  detail?: string;
  info?: string;
  kind: 'property' | 'constant';
}

/** Suggestions for the word that ends at the cursor. */
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
  /** Each new value selects its line and focuses the editor. */
  goTo?: { line: number } | undefined;
  suggest?(before: string): Suggestions | undefined;
}
