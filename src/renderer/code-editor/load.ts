/** The editor's own code: larger than all views together, so it is not fetched with them. */
export const loadEditor = () => import('./LoadedEditor.tsx');
