CREATE TABLE "section_sets" (
	"profile_id" bigint NOT NULL,
	"section" text NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "section_sets_profile_id_section_pk" PRIMARY KEY("profile_id","section")
);
--> statement-breakpoint
ALTER TABLE "section_sets" ADD CONSTRAINT "section_sets_profile_id_profiles_id_fk" FOREIGN KEY ("profile_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;