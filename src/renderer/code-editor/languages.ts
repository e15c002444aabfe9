import { StandardSQL, sql } from '@codemirror/lang-sql';
import { yaml } from '@codemirror/lang-yaml';
import { StreamLanguage } from '@codemirror/language';
import { lua } from '@codemirror/legacy-modes/mode/lua';
import type { Extension } from '@codemirror/state';
import type { CodeEditorProperties } from './properties.ts';

const LANGUAGES: Readonly<Record<CodeEditorProperties['language'], () => Extension>> = {
  yaml,
  sql: () => sql({ dialect: StandardSQL, upperCaseKeywords: true }),
  lua: () => StreamLanguage.define(lua),
};

export const languageOf = (language: CodeEditorProperties['language']): Extension => LANGUAGES[language]();
