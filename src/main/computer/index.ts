export { appFolder, endOnSignals, ignoreClosedPipe, libraryFolder, outsideOf } from './outside.ts';
export { keychainOf, parentOf } from './parent.ts';
