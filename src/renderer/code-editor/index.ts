export { CodeEditor } from './CodeEditor.tsx';
export { type Schema, suggestionsOf } from './suggestions.ts';
