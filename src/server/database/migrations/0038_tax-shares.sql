CREATE TABLE "tax_rules" (
	"position" integer PRIMARY KEY NOT NULL,
	"route_id" text NOT NULL,
	"product" text NOT NULL,
	"share_bp" integer NOT NULL,
	"tax_bp" integer NOT NULL,
	"name" text NOT NULL,
	"valid_from" date,
	"valid_until" date,
	"priority" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sale_entries" ADD COLUMN "tax_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "tax_parts" jsonb;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "fee_parts" jsonb;--> statement-breakpoint
ALTER TABLE "tax_rules" ADD CONSTRAINT "tax_rules_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE cascade ON UPDATE no action;