import type { MenuCommand, MenuMessage } from '../../shared/contract/desktop.ts';

const isMenuMessage = (data: unknown): data is MenuMessage =>
  typeof data === 'object' && data !== null && 'menu' in data && typeof data.menu === 'object';

/** Hears what is chosen in the window's menu; in a browser nothing ever is. Returns how to stop. */
export function onMenu(page: Window, choose: (command: MenuCommand) => void): () => void {
  const listen = (event: MessageEvent<unknown>): void => {
    if (event.source === page && isMenuMessage(event.data)) choose(event.data.menu);
  };
  page.addEventListener('message', listen);
  return () => page.removeEventListener('message', listen);
}
