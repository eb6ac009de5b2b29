CREATE TABLE "audit_log" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"actor_role" text,
	"device" text,
	"network" text,
	"request_id" text,
	"action" text NOT NULL,
	"object_kind" text NOT NULL,
	"object_id" text NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"reason" text,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL
);

--> statement-breakpoint
CREATE FUNCTION audit_log_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The audit log is append-only.'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'audit_log_stays';
END
$$;
--> statement-breakpoint
CREATE TRIGGER audit_log_stays BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION audit_log_stays();
--> statement-breakpoint
CREATE TRIGGER audit_log_stays_whole BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays();
