/** Draws an integer from 0 that is below the number given. */
export type Random = (below: number) => number;

/** Gives the same numbers for the same seed. */
export function random(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x9e37_79b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return ((((mixed ^ (mixed >>> 15)) >>> 0) * below) / 2 ** 32) | 0;
  };
}
