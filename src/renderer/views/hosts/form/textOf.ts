import type { HostDraft } from './draft.ts';

type TextName = 'name' | 'address' | 'port' | 'user' | 'keyFile';

/** Properties of the text field of a name in the draft. */
export const textOf =
  (draft: HostDraft, wrong: Readonly<Record<string, string>>, set: (change: Partial<HostDraft>) => void) =>
  (field: TextName) => ({
    value: draft[field],
    error: wrong[field],
    spellCheck: false,
    autoComplete: 'off',
    onChange: (event: { currentTarget: HTMLInputElement }) => set({ [field]: event.currentTarget.value }),
  });
