import { bounds } from "../limits.ts";

/**
 * How long to wait, in ms, before the attempt after `attempt` (from 1): it doubles from attempt to attempt up to a bound, of
 * which `chance`, from 0 to 1, takes up to a half away; never shorter than what the service asked for.
 */
export function backoffMs(attempt: number, chance: number, retryAfterMs = 0): number {
  const whole = Math.min(bounds.backoffMostMs, bounds.backoffMs * 2 ** (attempt - 1));
  return Math.max(Math.ceil(whole * (1 - chance / 2)), Math.ceil(retryAfterMs));
}
