import { useLocation } from 'wouter';
import { Editor } from './editor/Editor.tsx';
import { ExperimentList } from './list/ExperimentList.tsx';

export { openFile } from './document/dropped.ts';

/** `/experiments`, `/experiments/new`, `/experiments/new/TOOL/STEP`, `/experiments/ID/STEP`. */
export function ExperimentsView() {
  const [path] = useLocation();
  const [, , first, second, third] = path.split('/').map(decodeURIComponent);
  if (!first) return <ExperimentList />;
  if (first === 'new')
    return second ? <Editor key={`new-${second}`} begun={second} step={third} /> : <ExperimentList choosing />;
  return <Editor key={first} id={first} step={second} />;
}
