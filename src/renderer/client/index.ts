export type { Obstacle } from './access.ts';
export { EngineProvider, useHostLinks } from './EngineProvider.tsx';
export { ask, callKey, useAction, useCall, useLink, useLinkStatus, useStream } from './hooks.ts';
export { EngineLink } from './link.ts';
export { onMenu } from './menu.ts';
export { createQueryClient } from './queries.ts';
export { doorOf } from './transport.ts';
