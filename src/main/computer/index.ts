export { appFolder, libraryFolder, outsideOf } from './outside.ts';
export { keychainOf, parentOf } from './parent.ts';
export { endOnSignals, ignoreClosedPipe } from './process.ts';
