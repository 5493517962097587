CREATE TABLE "availability_days" (
	"user_id" bigint NOT NULL,
	"date" date NOT NULL,
	"state" text,
	"note" text,
	"request_id" bigint,
	"expires_at" timestamp with time zone,
	"other" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "availability_days_user_id_date_pk" PRIMARY KEY("user_id","date")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "availability_for" text DEFAULT 'nobody' NOT NULL;--> statement-breakpoint
ALTER TABLE "availability_days" ADD CONSTRAINT "availability_days_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "availability_days" ADD CONSTRAINT "availability_days_request_id_audition_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."audition_requests"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "availability_days_by_end" ON "availability_days" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "availability_days_by_date" ON "availability_days" USING btree ("date");--> statement-breakpoint
CREATE INDEX "availability_days_of_request" ON "availability_days" USING btree ("request_id");