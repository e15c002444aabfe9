import { createContext, useContext, useSyncExternalStore } from 'react';

/** A notification of the operating system. */
export interface Notice {
  title: string;
  body: string;
  /** A newer one with the same tag replaces it. */
  tag: string;
}

/** Access to the notifications of the operating system. */
export interface NoticeApi {
  /** `none`: this browser has no notifications, or not for this page. */
  permission(): NotificationPermission | 'none';
  /** Asks for permission, after a click of the user. */
  ask(): Promise<void>;
  /** Whether the page is in view, so that no notice is needed. */
  isSeen(): boolean;
  show(notice: Notice, onOpen: () => void): void;
  onChanged(listener: () => void): () => void;
}

/** The desktop window and browsers use the same API. */
export function noticesOf(page: Window & typeof globalThis): NoticeApi {
  const listeners = new Set<() => void>();
  const permission = (): NotificationPermission | 'none' =>
    'Notification' in page && page.isSecureContext ? page.Notification.permission : 'none';
  return {
    permission,
    ask: async () => {
      if (permission() !== 'default') return;
      await page.Notification.requestPermission();
      for (const listener of listeners) listener();
    },
    isSeen: () => page.document.visibilityState === 'visible' && page.document.hasFocus(),
    show: ({ title, body, tag }, onOpen) => {
      if (permission() !== 'granted') return;
      const notice = new page.Notification(title, { body, tag });
      notice.onclick = () => {
        page.focus();
        notice.close();
        onOpen();
      };
    },
    onChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const NoticesContext = createContext<NoticeApi>(noticesOf(window));

/** The API, with the current permission. */
export function useNotices() {
  const api = useContext(NoticesContext);
  const permission = useSyncExternalStore(api.onChanged, api.permission);
  return { api, permission };
}
