export { ignoreClosedPipe } from './closed-pipe.ts';
export { endOnSignals } from './ending.ts';
export { appFolder } from './folders.ts';
export { keychainOf } from './keychain.ts';
export { libraryFolder, outsideOf } from './outside.ts';
export { parentOf } from './parent.ts';
