CREATE TABLE "release_documents" (
	"version" text NOT NULL,
	"host" text NOT NULL,
	"path" text NOT NULL,
	"fingerprint" text NOT NULL,
	"headers" jsonb NOT NULL,
	"content" text NOT NULL,
	CONSTRAINT "release_documents_version_host_path_pk" PRIMARY KEY("version","host","path")
);
--> statement-breakpoint
CREATE TABLE "release_files" (
	"path" text PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL,
	"is_compressed" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "releases" (
	"version" text PRIMARY KEY NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_run_at" timestamp (3) with time zone NOT NULL,
	"paths" text[] NOT NULL,
	"screens" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "running_processes" (
	"id" text PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "release_documents" ADD CONSTRAINT "release_documents_version_releases_version_fk" FOREIGN KEY ("version") REFERENCES "public"."releases"("version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "running_processes" ADD CONSTRAINT "running_processes_version_releases_version_fk" FOREIGN KEY ("version") REFERENCES "public"."releases"("version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "running_processes_by_version" ON "running_processes" USING btree ("version","seen_at");