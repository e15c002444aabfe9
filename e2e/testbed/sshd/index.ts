export { canMakeNetworks, createHosts, type TestHost, type TestHosts } from './hosts.ts';
export { type PasswordServer, type PasswordServerOptions, startPasswordServer } from './password-server.ts';
export { makeKey, type SshdOptions, startSshd, type TestSshd } from './sshd.ts';
