import { lazy, Suspense } from 'react';
import { reloadPage } from '../client/reload-page.ts';
import { BlockSkeleton } from '../ui/index.ts';
import classes from './code-editor.module.css';
import { loadEditor } from './load.ts';
import type { CodeEditorProperties } from './properties.ts';

const LoadedEditor = lazy(async () => ({ default: (await loadEditor().catch(reloadPage)).LoadedEditor }));

/**
 * A text for machines, with coloured syntax and suggestions (Ctrl+Space). Tab leaves it, like any other field; Ctrl+] and Ctrl+[ indent.
 * Its code is fetched when it is first shown.
 */
export const CodeEditor = (properties: CodeEditorProperties) => (
  <div className={classes.editor}>
    <Suspense fallback={<BlockSkeleton height={80} />}>
      <LoadedEditor {...properties} />
    </Suspense>
  </div>
);
