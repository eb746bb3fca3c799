"""What this computer gives: threads, devices, memory."""
