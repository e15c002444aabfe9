export { HelpMark, useTries } from './FieldRow.tsx';
export { type Field, readFields } from './fields.ts';
export { OptionForm } from './OptionForm.tsx';
export { type SecretChange, SecretField } from './SecretField.tsx';
export { VaultDialog } from './VaultDialog.tsx';
export {
  type FormValues,
  problemsOf,
  problemWith,
  readText,
  shapeProblem,
  shownFields,
} from './values.ts';
