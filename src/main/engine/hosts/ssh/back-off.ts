const FAST_PHASE_MS = 5 * 60_000;

/**
 * Milliseconds to wait before the next attempt. Quick for the first minutes (a blip, a VPN that comes back), then twice a minute
 * for as long as somebody needs the host: a laptop may sleep for days while a run continues.
 */
export const retryDelayMs = (downForMs: number, failures: number): number =>
  downForMs < FAST_PHASE_MS ? Math.min(4_000, 500 * 2 ** Math.max(0, failures - 1)) : 30_000;

/** How long one TCP connect may take. Short while attempts are frequent: a new attempt sends a fresh packet, the old one only backs off. */
export const connectLimitMs = (reconnecting: boolean, downForMs: number): number =>
  reconnecting && downForMs < FAST_PHASE_MS ? 4_000 : 10_000;
