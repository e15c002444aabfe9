/**
 * What page and server of browser mode agree on. Authority is a secret that scripts of this one origin keep and send by
 * themselves: a cookie would go to every port of 127.0.0.1, whoever listens there.
 */

/** Name in the part of the link behind `#`, which no browser sends anywhere. */
export const LINK_PARAMETER = 'link';

/** POST with the link's secret as bearer: the answer's text is the session's secret. GET with the session's: 204, or 401. */
export const SESSION_PATH = '/session';

export const SOCKET_PATH = '/rpc';

/** The WebSocket's protocol. The page offers the session's secret as a second one: refused before a frame is read. */
export const SOCKET_PROTOCOL = 'kneepoint';

/** File in the library's folder that holds a link as yet unused, while the server runs. */
export const LINK_FILE = 'link';
