CREATE TABLE "staff_passkeys" (
	"staff_id" text NOT NULL,
	"id" text PRIMARY KEY NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"backed_up" boolean NOT NULL,
	"verifies_user" boolean DEFAULT false NOT NULL,
	"aaguid" text NOT NULL,
	"name" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "staff_passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "password_hash" text;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "password_changed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "password_failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "second_step_misses" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "second_step_locked_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "webauthn_user_id" text;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "encrypted_authenticator" text;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "authenticator_step" bigint;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "invitation_hash" text;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "invitation_expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "accepted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "disabled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "last_seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "is_demo" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD COLUMN "fresh_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD COLUMN "last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_passkeys" ADD CONSTRAINT "staff_passkeys_staff_id_staff_members_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_members"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "staff_passkeys_by_staff" ON "staff_passkeys" USING btree ("staff_id");