/** The type of a file, by its first bytes. */
interface FileKind {
  /** “ZIP archive”. */
  readonly words: string;
  readonly mediaType: string;
  /** Without a dot. */
  readonly extension: string;
}

const TEXT: FileKind = { words: 'text', mediaType: 'text/plain', extension: 'txt' };
const OTHER: FileKind = { words: 'binary file', mediaType: 'application/octet-stream', extension: 'bin' };

const letters = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));

/** Files that benchmarks and servers leave behind; more than one beginning for some of them. */
const KINDS: readonly (readonly [start: readonly number[], kind: FileKind])[] = [
  [[0x1f, 0x8b], { words: 'gzip archive', mediaType: 'application/gzip', extension: 'gz' }],
  [[0x28, 0xb5, 0x2f, 0xfd], { words: 'Zstandard archive', mediaType: 'application/zstd', extension: 'zst' }],
  [[0xfd, ...letters('7zXZ'), 0], { words: 'XZ archive', mediaType: 'application/x-xz', extension: 'xz' }],
  [letters('BZh'), { words: 'bzip2 archive', mediaType: 'application/x-bzip2', extension: 'bz2' }],
  [[...letters('PK'), 3, 4], { words: 'ZIP archive', mediaType: 'application/zip', extension: 'zip' }],
  [[0x89, ...letters('PNG')], { words: 'PNG image', mediaType: 'image/png', extension: 'png' }],
  [letters('%PDF-'), { words: 'PDF', mediaType: 'application/pdf', extension: 'pdf' }],
  [letters('PERFILE2'), { words: 'perf data', mediaType: OTHER.mediaType, extension: 'data' }],
  [[0x7f, ...letters('ELF')], { words: 'ELF file', mediaType: OTHER.mediaType, extension: 'elf' }],
  [letters('SQLite format 3'), { words: 'SQLite database', mediaType: 'application/vnd.sqlite3', extension: 'db' }],
  [[0xd4, 0xc3, 0xb2, 0xa1], { words: 'packet capture', mediaType: 'application/vnd.tcpdump.pcap', extension: 'pcap' }],
  [[0xa1, 0xb2, 0xc3, 0xd4], { words: 'packet capture', mediaType: 'application/vnd.tcpdump.pcap', extension: 'pcap' }],
  [[0x0a, 0x0d, 0x0d, 0x0a], { words: 'packet capture', mediaType: 'application/x-pcapng', extension: 'pcapng' }],
];

export function fileKind(bytes: Uint8Array): FileKind {
  if (isText(bytes)) return TEXT;
  return KINDS.find(([start]) => start.every((byte, place) => bytes[place] === byte))?.[1] ?? OTHER;
}

/** Whether a file is UTF-8 text: secrets can be hidden in it without breaking it. */
export function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Characters that no file system refuses. */
const plain = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(-100) || 'capture';

/** The name under which an attachment is saved: that of its file, or for the output of a command one made of the capture's name. */
export function attachmentName(
  { name, file }: { readonly name: string; readonly file?: string | undefined },
  bytes: Uint8Array,
): string {
  const own = file?.slice(file.lastIndexOf('/') + 1);
  return own === undefined || own === '' ? `${plain(name)}.${fileKind(bytes).extension}` : plain(own);
}
