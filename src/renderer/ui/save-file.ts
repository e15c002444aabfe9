/** A file made by the engine. */
export interface MadeFile {
  fileName: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** Hands a file to the person through the page's own download, which asks for a place where that is set so. */
export function saveFile({ fileName, mediaType, bytes }: MadeFile): void {
  const address = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mediaType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}
