declare module "whatwg-url" {
  export const URL: unknown;
  export const URLSearchParams: unknown;
}
