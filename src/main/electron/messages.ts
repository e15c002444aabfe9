/** Names of the few messages between the shell and the preload script. There are no others. */
export const PAGE_READY = 'page-ready';
export const TO_PAGE_PORT = 'engine-port';
export const TO_PAGE_LOST = 'engine-lost';
export const TO_PAGE_MENU = 'menu';
