export {
  ConfirmButton,
  ConfirmDialog,
  IconAction,
  MenuAction,
  RenameDialog,
  RowMenu,
  TypedConfirmation,
} from './buttons.tsx';
export { CodeBlock, CopyText } from './code.tsx';
export { DataTable } from './DataTable.tsx';
export type { RowGroup } from './groups.tsx';
export {
  type Crumb,
  CrumbsContext,
  draggable,
  saveFile,
  shareStyleNonce,
  styleNonce,
  useCrumbs,
  useDropPlace,
  useKeptScroll,
  useKeys,
  useNow,
  useUndoKeys,
} from './hooks.ts';
export {
  BlockSkeleton,
  EmptyState,
  Fold,
  FormFooter,
  KeyValueList,
  Page,
  PageHeader,
  type Pair,
  Panel,
  TableSkeleton,
} from './layout.tsx';
export { FoldedProblem, ProblemBanner, Status, type Tone } from './status.tsx';
export type { Column } from './table-row.tsx';
export { theme } from './theme.ts';
