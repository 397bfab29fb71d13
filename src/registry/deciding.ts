import { Fault } from "../errors.ts";
import { checkText } from "../options.ts";
import type { Guard, Policy } from "./policy.ts";
import type { Registrar } from "./registrar.ts";

/** How a scope says which calls may run. */
export interface Deciding {
  guard(name: string, guard: Guard): Disposable;
  policy(policy: Policy): Disposable;
}

export function makeDeciding({ layer, live, change }: Registrar): Deciding {
  return {
    guard(name, guard) {
      live("a guard");
      checkText("the name of a guard", name);
      if (typeof guard !== "function") throw new Fault("invalid_options", `guard "${name}" must be a function`);
      if (layer.guards.has(name)) {
        throw new Fault("duplicate_guard", `scope "${layer.name}" already has a guard "${name}"`, {
          hint: "give it another name: all guards in force are asked; or dispose the other one first",
          details: { name, scope: layer.name },
        });
      }
      const placed = Object.freeze({ name, scope: layer.name, guard });
      return change(
        "checks",
        () => layer.guards.set(name, placed),
        () => layer.guards.get(name) === placed && layer.guards.delete(name),
      );
    },
    policy(policy) {
      live("a policy");
      if (typeof policy !== "function")
        throw new Fault("invalid_options", `a policy of scope "${layer.name}" must be a function`);
      const placed = Object.freeze({ scope: layer.name, policy });
      return change(
        "checks",
        () => layer.policies.add(placed),
        () => layer.policies.delete(placed),
      );
    },
  };
}
