CREATE TABLE "settings_versions" (
	"id" text PRIMARY KEY NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "settings_versions_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"staff_id" text,
	"system_user" text,
	"value" jsonb NOT NULL
);
