/** Devices that a person allowed to be overwritten by one text of the document: any change of it asks anew. */
export interface Allowed {
  text: string;
  /** As typed, `HOST:DEVICE`. */
  devices: readonly string[];
}

export const devicesAllowed = (allowed: Allowed | undefined, text: string): readonly string[] =>
  allowed?.text === text ? allowed.devices : [];
