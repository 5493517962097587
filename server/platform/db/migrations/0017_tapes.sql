CREATE TABLE "audition_tapes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audition_tapes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"request_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"takes" jsonb NOT NULL,
	"note" text,
	"finished_at" timestamp with time zone NOT NULL,
	"finished_by" text NOT NULL,
	"announced_at" timestamp with time zone NOT NULL,
	"arrived_at" timestamp with time zone,
	"state" text DEFAULT 'announced' NOT NULL,
	"reason" text,
	"version" integer DEFAULT 1 NOT NULL,
	"client_id" uuid,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "audition_tapes_client_id" UNIQUE("user_id","client_id"),
	CONSTRAINT "audition_tapes_number" UNIQUE("request_id","number")
);
--> statement-breakpoint
CREATE TABLE "tape_marks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tape_marks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tape_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"grade" text,
	"text" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tape_marks_once" UNIQUE("tape_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "tape_viewings" (
	"tape_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"first_at" timestamp with time zone NOT NULL,
	"seconds" double precision NOT NULL,
	CONSTRAINT "tape_viewings_tape_id_user_id_pk" PRIMARY KEY("tape_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "stored_files" DROP CONSTRAINT "stored_files_of_one";--> statement-breakpoint
ALTER TABLE "stored_files" ADD COLUMN "request_id" bigint;--> statement-breakpoint
ALTER TABLE "audition_requests" ADD COLUMN "announced_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "audition_requests" ADD COLUMN "arrived_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "audition_requests" ADD COLUMN "watched_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "casting_roles" ADD COLUMN "ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "casting_roles" ADD COLUMN "others_text" text;--> statement-breakpoint
UPDATE "casting_roles" SET "ended_at" = "updated_at" WHERE "status" <> 'open';--> statement-breakpoint
ALTER TABLE "audition_tapes" ADD CONSTRAINT "audition_tapes_request_id_audition_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."audition_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audition_tapes" ADD CONSTRAINT "audition_tapes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tape_marks" ADD CONSTRAINT "tape_marks_tape_id_audition_tapes_id_fk" FOREIGN KEY ("tape_id") REFERENCES "public"."audition_tapes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tape_marks" ADD CONSTRAINT "tape_marks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tape_viewings" ADD CONSTRAINT "tape_viewings_tape_id_audition_tapes_id_fk" FOREIGN KEY ("tape_id") REFERENCES "public"."audition_tapes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tape_viewings" ADD CONSTRAINT "tape_viewings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tape_marks_of_user" ON "tape_marks" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "tape_viewings_of_user" ON "tape_viewings" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_request_id_audition_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."audition_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stored_files_of_request" ON "stored_files" USING btree ("request_id");--> statement-breakpoint
ALTER TABLE "stored_files" ADD CONSTRAINT "stored_files_of_one" CHECK (num_nonnulls("stored_files"."profile_id", "stored_files"."conversation_id", "stored_files"."request_id") = 1);