/** Texts that were changed and not saved, kept while the window lives: going elsewhere or reloading loses nothing. */
const keyOf = (id: string): string => `kneepoint-draft-${id}`;

export const draftOf = (id: string): string | undefined => sessionStorage.getItem(keyOf(id)) ?? undefined;
export const keepDraft = (id: string, text: string): void => sessionStorage.setItem(keyOf(id), text);
export const dropDraft = (id: string): void => sessionStorage.removeItem(keyOf(id));
