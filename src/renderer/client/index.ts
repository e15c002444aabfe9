export type { Obstacle } from './access.ts';
export type { EngineConnector } from './connector.ts';
export { EngineProvider, onMenu, useHostLinks } from './EngineProvider.tsx';
export {
  ask,
  type CallName,
  callKey,
  inSequence,
  useAction,
  useCall,
  useLink,
  useLinkStatus,
  useStream,
  useWorks,
  type Work,
} from './hooks.ts';
export { EngineLink } from './link.ts';
export { type Notice, type NoticeApi, NoticesContext, noticesOf, useNotices } from './notices.ts';
export { createQueryClient } from './queries.ts';
