CREATE TABLE "freed_places" (
	"ticket_id" text NOT NULL,
	"resource" text NOT NULL,
	"amount" integer NOT NULL,
	CONSTRAINT "freed_places_ticket_id_resource_pk" PRIMARY KEY("ticket_id","resource"),
	CONSTRAINT "freed_places_positive" CHECK ("freed_places"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "gate_event_tickets" (
	"event_id" text NOT NULL,
	"ticket_id" text NOT NULL,
	CONSTRAINT "gate_event_tickets_event_id_ticket_id_pk" PRIMARY KEY("event_id","ticket_id")
);
--> statement-breakpoint
CREATE TABLE "gate_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"sailing_id" text NOT NULL,
	"device" text NOT NULL,
	"staff_id" text NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"undoes" text,
	"people" integer,
	"override" text,
	CONSTRAINT "gate_events_undo" CHECK (("gate_events"."type" = 'undo') = ("gate_events"."undoes" is not null)),
	CONSTRAINT "gate_events_count" CHECK (("gate_events"."type" = 'count') = ("gate_events"."people" is not null))
);
--> statement-breakpoint
CREATE TABLE "ticket_boardings" (
	"ticket_id" text PRIMARY KEY NOT NULL,
	"sailing_id" text NOT NULL,
	"device" text NOT NULL,
	"boarded_at" timestamp (3) with time zone NOT NULL,
	"times" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sailings" ADD COLUMN "check_in_closed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sailings" ADD COLUMN "departed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "freed_places" ADD CONSTRAINT "freed_places_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gate_event_tickets" ADD CONSTRAINT "gate_event_tickets_event_id_gate_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."gate_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gate_event_tickets" ADD CONSTRAINT "gate_event_tickets_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gate_events" ADD CONSTRAINT "gate_events_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gate_events" ADD CONSTRAINT "gate_events_staff_id_staff_members_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff_members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_boardings" ADD CONSTRAINT "ticket_boardings_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_boardings" ADD CONSTRAINT "ticket_boardings_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gate_event_tickets_by_ticket" ON "gate_event_tickets" USING btree ("ticket_id");--> statement-breakpoint
CREATE INDEX "gate_events_by_sailing" ON "gate_events" USING btree ("sailing_id");--> statement-breakpoint
CREATE INDEX "gate_events_undone" ON "gate_events" USING btree ("undoes") WHERE undoes is not null;--> statement-breakpoint
CREATE INDEX "ticket_boardings_by_sailing" ON "ticket_boardings" USING btree ("sailing_id");