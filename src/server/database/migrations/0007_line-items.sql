ALTER TABLE "tickets" ALTER COLUMN "title" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "item" text;