/** Something a host should look at that refuses nothing: sent to its log and kept where it arose. */
export interface Warning {
  readonly kind:
    | "description"
    | "schema"
    | "alias_clash"
    | "provider_name_clash"
    | "source_tool_left_out"
    | "source_failed"
    | "gated"
    | "restriction"
    | "permission"
    | "callers"
    | "prompt";
  readonly message: string;
  readonly tool?: string;
  readonly source?: string;
}
