/** Whether an address leads to the machine itself, without any network in between. */
export const isLoopback = (address: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(address.trim());
