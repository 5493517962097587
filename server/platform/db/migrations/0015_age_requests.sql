CREATE TABLE "age_requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "age_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"wanted" date NOT NULL,
	"born_on" date NOT NULL,
	"reason" text,
	"asked_at" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"decided_by" bigint,
	"decided_at" timestamp with time zone,
	"words" text
);
--> statement-breakpoint
ALTER TABLE "age_requests" ADD CONSTRAINT "age_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "age_requests_one_open" ON "age_requests" USING btree ("user_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "age_requests_of_user" ON "age_requests" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "age_requests_waiting" ON "age_requests" USING btree ("id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "age_requests_decided" ON "age_requests" USING btree ("decided_at");