CREATE TABLE "audition_requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audition_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"role_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"performer_id" bigint,
	"profile_id" bigint,
	"round" text NOT NULL,
	"previous_id" bigint,
	"terms" jsonb NOT NULL,
	"deadline_at" timestamp with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"region" text,
	"notices" jsonb NOT NULL,
	"rules" jsonb NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"declined_at" timestamp with time zone,
	"decline_text" text,
	"answers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"answered_at" timestamp with time zone,
	"withdrawn_at" timestamp with time zone,
	"withdraw_text" text,
	"version" integer DEFAULT 1 NOT NULL,
	"client_id" uuid,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "audition_requests_client_id" UNIQUE("user_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "casting_projects" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "casting_projects_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"body" jsonb NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"client_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "casting_projects_client_id" UNIQUE("user_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "casting_roles" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "casting_roles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"body" jsonb NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"client_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "casting_roles_client_id" UNIQUE("user_id","client_id")
);
--> statement-breakpoint
ALTER TABLE "audition_requests" ADD CONSTRAINT "audition_requests_role_id_casting_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."casting_roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audition_requests" ADD CONSTRAINT "audition_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audition_requests" ADD CONSTRAINT "audition_requests_performer_id_users_id_fk" FOREIGN KEY ("performer_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audition_requests" ADD CONSTRAINT "audition_requests_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audition_requests" ADD CONSTRAINT "audition_requests_previous_id_audition_requests_id_fk" FOREIGN KEY ("previous_id") REFERENCES "public"."audition_requests"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casting_projects" ADD CONSTRAINT "casting_projects_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casting_roles" ADD CONSTRAINT "casting_roles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "casting_roles" ADD CONSTRAINT "casting_roles_project_id_casting_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."casting_projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "audition_requests_once" ON "audition_requests" USING btree ("role_id","performer_id","round") WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX "audition_requests_of_role" ON "audition_requests" USING btree ("role_id","id");--> statement-breakpoint
CREATE INDEX "audition_requests_of_performer" ON "audition_requests" USING btree ("performer_id","user_id");--> statement-breakpoint
CREATE INDEX "audition_requests_of_profile" ON "audition_requests" USING btree ("profile_id");--> statement-breakpoint
CREATE INDEX "audition_requests_of_previous" ON "audition_requests" USING btree ("previous_id");--> statement-breakpoint
CREATE INDEX "casting_roles_of_project" ON "casting_roles" USING btree ("project_id","id");