import { useEffect, useState } from 'react';
import type { DocumentState } from './document.ts';

/** Devices that a person allowed to be overwritten by one text of the document: any change of it asks anew. */
export interface Allowed {
  text: string;
  /** As typed, `HOST:DEVICE`. */
  devices: readonly string[];
}

/** What was allowed for the text as it is now; dropped for good once another text is settled. */
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
