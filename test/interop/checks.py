"""All checks, in order; the exit code is 0 when all of them hold."""

import sys

import apply_checks
import asset_checks
import cli_checks
import export_checks
import glossary_checks
import governance_checks
import import_checks
import ingest_checks
import sdk_checks
import turns_checks
from harness import section, summary

modules = (
    cli_checks,
    sdk_checks,
    ingest_checks,
    asset_checks,
    glossary_checks,
    governance_checks,
    import_checks,
    export_checks,
    apply_checks,
    turns_checks,
)
for module in modules:
    for work in module.SECTIONS:
        section(work)
sys.exit(summary())
