CREATE TABLE "pictures" (
	"file" text PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ports" ADD COLUMN "picture" jsonb;--> statement-breakpoint
ALTER TABLE "ports" ADD COLUMN "picture_alt" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "vessels" ADD COLUMN "picture" jsonb;--> statement-breakpoint
ALTER TABLE "vessels" ADD COLUMN "picture_alt" text DEFAULT '' NOT NULL;