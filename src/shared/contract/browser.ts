/**
 * Protocol between page and server in browser mode. Authority is a secret that only scripts of this origin store and send explicitly: a
 * cookie would be sent to every port of 127.0.0.1, whichever process listens there.
 */

/** Parameter name in the fragment of the link (after `#`), which browsers do not send to servers. */
export const LINK_PARAMETER = 'link';

/** POST with the link's secret as bearer returns the session's secret as text. GET with the session's secret: 204, or 401. */
export const SESSION_PATH = '/session';

export const SOCKET_PATH = '/rpc';

/** The WebSocket's protocol. The page offers the session's secret as a second one, so that it can be refused before a frame is read. */
export const SOCKET_PROTOCOL = 'kneepoint';

/** File in the library's folder that contains an unused link while the server runs. */
export const LINK_FILE = 'link';
