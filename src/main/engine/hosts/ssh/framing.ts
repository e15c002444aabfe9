import { randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

const NOISE_KEPT = 400;
const PID_LENGTH = 16;

/** What no login banner can contain. */
export const createMarker = (): string => `@@kneepoint-${randomBytes(12).toString('hex')}`;

/** sh commands that print, on both outputs, a line of the marker and the shell's process id. */
export const printMarker = (marker: string): string => `echo ${marker} $$; echo ${marker} $$ >&2\n`;

/** Drops everything up to and including the marker's line: what `.bashrc` and friends print before our shell is there. */
export class AfterMarker extends Transform {
  readonly #marker: string;
  #before = Buffer.alloc(0);
  #shellPid: number | undefined;

  constructor(marker: string) {
    super();
    this.#marker = marker;
  }

  /** Process id of our shell on the host; undefined until the marker has come. */
  get shellPid(): number | undefined {
    return this.#shellPid;
  }

  /** The last words before the marker: why there was no shell, if there was none. */
  get noise(): string {
    return this.#before.subarray(-NOISE_KEPT).toString('utf8').trim();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const after = this.#shellPid === undefined ? this.#search(chunk) : chunk;
    if (after.length > 0) this.push(after);
    done();
  }

  #search(chunk: Buffer): Buffer {
    const text = Buffer.concat([this.#before, chunk]);
    const at = text.indexOf(this.#marker);
    const end = at < 0 ? -1 : text.indexOf('\n', at);
    if (end < 0) {
      this.#before = text.subarray(-(NOISE_KEPT + this.#marker.length + PID_LENGTH));
      return Buffer.alloc(0);
    }
    this.#before = Buffer.alloc(0);
    this.#shellPid = Number(text.toString('latin1', at + this.#marker.length, end));
    return text.subarray(end + 1);
  }
}
