import { useEffect, useState } from 'react';
import type { DocumentState } from './document.ts';

/** Devices that the user allowed to be overwritten, for one text of the document: any change requires a new permission. */
export interface Allowed {
  text: string;
  /** As typed, `HOST:DEVICE`. */
  devices: readonly string[];
}

/** The permission for the current text; dropped permanently once another text is settled. */
export function useAllowed({ text, busy }: Pick<DocumentState, 'text' | 'busy'>) {
  const [allowed, setAllowed] = useState<Allowed>();
  const outdated = allowed !== undefined && !busy && allowed.text !== text;
  useEffect(() => {
    if (outdated) setAllowed(undefined);
  }, [outdated]);
  return [allowed, setAllowed] as const;
}

export const devicesAllowed = (allowed: Allowed | undefined, text: string): readonly string[] =>
  allowed?.text === text ? allowed.devices : [];
