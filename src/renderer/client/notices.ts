import { createContext, useContext, useSyncExternalStore } from 'react';

/** A notification of the operating system. */
export interface Notice {
  title: string;
  body: string;
  /** A newer one with the same tag takes its place. */
  tag: string;
}

/** The way to the notifications of the operating system. */
export interface NoticeDoor {
  /** `none`: this browser has no notifications, or not for this page. */
  permission(): NotificationPermission | 'none';
  /** Asks the person, after a click of theirs. */
  ask(): Promise<void>;
  /** Whether the person looks at this page, and sees without a notice what happens. */
  isSeen(): boolean;
  show(notice: Notice, onOpen: () => void): void;
  onChanged(listener: () => void): () => void;
}

/** The desktop window and browsers have the same way. */
export function noticesOf(page: Window & typeof globalThis): NoticeDoor {
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

export const NoticesContext = createContext<NoticeDoor>(noticesOf(window));

/** The door, with what the person has allowed. */
export function useNotices() {
  const door = useContext(NoticesContext);
  const permission = useSyncExternalStore(door.onChanged, door.permission);
  return { door, permission };
}
